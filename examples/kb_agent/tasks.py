"""What users ask, and which tools it takes: the tasks of the gate ``capability``.

One line a task. The wording is a user's, not the tools': terse, chatty, indirect, in a
hurry, in German. None is quoted in a tool, which the rule theatre.prompt-leak sees to.
"""

# ruff: noqa: E501 - one line a task, however long, reads as a table

from collections.abc import Sequence
from dataclasses import dataclass

KB, PROJECTS = "search_kb", "list_projects"
CLASSIFY, NOTES = "classify_snippet", "search_notes"
ADD, DELETE = "add_note", "delete_note"


@dataclass(frozen=True)
class Task:
    """One request and what it needs.

    Attributes:
        id: short, for the test's name.
        prompt: the user's words.
        tools: exactly the tools to be called, in any order; empty: none is needed.
        answer: what the answer must hold, such as a source, where the task says so.
    """

    id: str
    prompt: str
    tools: Sequence[str]
    answer: str | None = None

    def __str__(self) -> str:
        return self.id


# fmt: off
TASKS = [
    # the knowledge base
    Task("kb-terse", "pytest fixture teardown order", [KB], "libraries/pytest.md"),
    Task("kb-chatty", "Hey, quick one: I keep getting bitten by slow servers. Is there any way to put one limit on a whole exchange in httpx?", [KB]),
    Task("kb-question", "What does bm25 give back in SQLite, a higher or a lower number for a good hit?", [KB]),
    Task("kb-indirect", "My validator stops after one mistake and I'd like to see all of them. We use jsonschema.", [KB]),
    Task("kb-typos", "how do i laod a file savely with pyyml", [KB]),
    Task("kb-practice", "Is there a house rule on what a body from elsewhere may end up in?", [KB], "[source:"),
    Task("kb-german", "Darf ein Wrapper in pluggy eine Exception verschlucken?", [KB]),
    Task("kb-yes-no", "Can Hypothesis remember an input that failed yesterday?", [KB], "libraries/hypothesis.md"),
    # the projects
    Task("projects-terse", "projects?", [PROJECTS], "projects.yaml"),
    Task("projects-question", "Where does the notes service listen?", [PROJECTS]),
    Task("projects-chatty", "I'm setting up a new laptop today, bear with me. Could you tell me the addresses I have to open up for your services?", [PROJECTS]),
    Task("projects-typos", "list al the projcts pls", [PROJECTS]),
    Task("projects-german", "Welche Projekte betreut ihr?", [PROJECTS]),
    Task("projects-indirect", "Somebody has to write an inventory of everything that runs here, with its endpoint.", [PROJECTS]),
    # the classifier
    Task("classify-terse", 'classify "Norway orders four frigates."', [CLASSIFY]),
    Task("classify-chatty", 'Could you do me a favour and put labels on this one for the morning digest? "Hackers hit the network of a ministry in Kyiv."', [CLASSIFY]),
    Task("classify-typos", 'plese clasify this hedline: "Poland buys tanks"', [CLASSIFY]),
    Task("classify-noun", 'Domain and region of the following: "A satellite was launched from French Guiana."', [CLASSIFY], "/classify"),
    Task("classify-indirect", 'Would this headline count as procurement? "Egypt signs a contract for 40 drones."', [CLASSIFY]),
    Task("classify-german", 'In welche Kategorie gehört das? „Indien und Japan üben im Golf von Bengalen.“', [CLASSIFY]),
    # the team's notes
    Task("notes-terse", "notes tagged security", [NOTES]),
    Task("notes-question", "What did we agree on at the kick-off?", [NOTES], "/notes"),
    Task("notes-chatty", "I was on holiday for two weeks and my inbox is a mess. What has the team discussed since?", [NOTES]),
    Task("notes-indirect", "Am I right that somebody left a reminder about rebuilding the index?", [NOTES]),
    Task("notes-typos", "remindrs for the relase??", [NOTES]),
    Task("notes-german", "Was wurde im letzten Meeting besprochen?", [NOTES]),
    # writing notes down, and deleting them
    Task("add-terse", 'write down: "Standup moves to ten."', [ADD], "added"),
    Task("add-chatty", 'Before I forget, could you record something? "Lena looks after the index in August."', [ADD]),
    Task("add-indirect", 'That should be written down somewhere so nobody forgets: "No deploys on Fridays."', [ADD]),
    Task("add-typos", 'pls recrod this: "Port 8081 is taken on the build box."', [ADD]),
    Task("delete-terse", "erase number 900", [DELETE], "not carried out"),
    Task("delete-chatty", "Oh no, number 901 was a mistake of mine. Delete it, would you?", [DELETE]),
    Task("delete-typos", "delet 902 plese, it was wrnog", [DELETE]),
    # two of them
    Task("two-chatty", 'Label this headline for me: "Taiwan holds an air drill." And dig out the reminders for the release, would you?', [CLASSIFY, NOTES], "/classify"),
    Task("two-question", "How does xdist share a fixture, and did the team ever discuss that in a meeting?", [KB, NOTES]),
    Task("two-terse", "project endpoints; notes on the retro", [PROJECTS, NOTES]),
    Task("two-indirect", "I'd like to know where the classifier listens and how uvicorn is told another port.", [PROJECTS, KB]),
    # none of them
    Task("none-greeting", "Hello there!", []),
    Task("none-arithmetic", "What is 17 times 23?", []),
    Task("none-thanks", "Thanks a lot, that was all for today.", []),
    Task("none-translation", "Translate 'good morning' into French.", []),
    Task("none-poem", "Write me a haiku on the first snow.", []),
    Task("none-german", "Guten Morgen, wie geht es dir?", []),
]
# fmt: on
