"""An agent of one's own with an asynchronous client: it asks a model for the next action as text.

sitegym eval --agent examples.asking_agent:AskingAgent:model=gpt-5-mini --task store.admin/cancel-order
"""

import os

from openai import AsyncOpenAI
from sitegym.envs import actions
from sitegym.envs.episode import Episode
from sitegym.envs.observation import Observation
from sitegym.tasks import Task

RULES = f"Answer with the next action alone, one of these, and with finish when you are done:\n{actions.grammar()}"


class AskingAgent:
    """Its arguments are the options behind the name; its methods may be coroutines, all on one event loop."""

    def __init__(self, model: str, base_url: str | None = None) -> None:
        self.model_name, self.base_url = model, base_url

    async def start(self, task: Task, episode: Episode) -> None:
        """Make the client, and begin the conversation."""
        self.client = AsyncOpenAI(base_url=self.base_url, api_key=os.environ.get("OPENAI_API_KEY", "none"))
        self.said = f"{RULES}\n\nGoal: {task.goal}"

    async def act(self, observation: Observation) -> str:
        """Ask for the action; one that is none comes back as `observation.error`, and costs a step."""
        shown = f"{self.said}\n\n{observation.error}\n{observation.axtree}"
        answer = await self.client.chat.completions.create(
            model=self.model_name, messages=[{"role": "user", "content": shown}]
        )
        return answer.choices[0].message.content or ""

    async def close(self) -> None:
        """Close the client."""
        await self.client.close()
