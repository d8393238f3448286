"""A tree search: from one moment of an episode, try each way on, and go on where it came nearest to the goal."""

from sitegym.envs import actions
from sitegym.envs.branch import Checkpoint
from sitegym.envs.episode import Episode
from sitegym.envs.observation import Observation
from sitegym.envs.opening import open_episode
from sitegym.tasks import task

TASK = "store.admin/all-customers"
WAYS = ("Dashboard", "Orders", "Clear all", "Reviews")


def ways(seen: Observation) -> list[actions.Action]:
    """The actions to try; a model would propose them."""
    return [actions.click(seen.find("link", name)) for name in WAYS]


def best(episode: Episode, kept: Checkpoint) -> tuple[float, str, Checkpoint]:
    """The best of the ways on from a moment: its value, its name, and the moment after it."""
    found = []
    for name, action in zip(WAYS, ways(episode.restore(kept)), strict=True):
        episode.restore(kept)
        episode.act(action)
        found.append((episode.scores.potential, name, episode.checkpoint()))
    return max(found, key=lambda one: one[0])


def main() -> None:
    """Search one step deep and finish where it led."""
    with open_episode(data="tiny", rewards="milestones") as episode:
        episode.reset(task(TASK, 0, data="tiny"))
        value, name, moment = best(episode, episode.checkpoint())
        episode.restore(moment)
        verdict = episode.finish()
        print(f"best way: {name} (value {value:.2f}), graded {verdict.reward}, clean {verdict.clean}")


if __name__ == "__main__":
    main()
