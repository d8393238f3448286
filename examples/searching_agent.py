"""An agent of one's own: it searches for the first number in its goal, looks at what it finds, and gives up politely.

sitegym eval --agent examples.searching_agent:SearchingAgent --task store.admin/cancel-order --instances 2
"""

import re

from sitegym.envs import actions
from sitegym.envs.actions import Action
from sitegym.envs.episode import Episode
from sitegym.envs.observation import Observation
from sitegym.tasks import Task


class SearchingAgent:
    """Finds elements by role and name, as a person would; never sees the address or the markup of a page."""

    def start(self, task: Task, episode: Episode) -> None:
        """Read the goal once."""
        found = re.search(r"\d{4,}", task.goal)
        self.number = found.group() if found else ""

    def act(self, observation: Observation) -> Action:
        """Search, then finish with the code for "a rule forbids it"."""
        if self.number:
            words, self.number = self.number, ""
            return actions.type_(observation.find("combobox", "Search everything"), words, submit=True)
        return actions.finish(outcome="NOT_ALLOWED")
