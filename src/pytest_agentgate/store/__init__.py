"""What touches the disk: policy, waivers, journal, whole files."""
