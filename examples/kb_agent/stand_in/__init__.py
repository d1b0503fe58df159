"""A stand-in for a model: it speaks the Messages API and chooses tools by their words.

It proves the gate, not a model. It knows neither the tasks nor the tools: all it has is
the request, with the tools' descriptions in it.
"""
