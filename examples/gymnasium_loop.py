"""A Gymnasium loop on one task: an agent that only says it is done, and what the database says of that."""

import gymnasium as gym
import sitegym  # noqa: F401  (registers ShopAdmin-v0; `gym.make("sitegym:ShopAdmin-v0")` works without this line)


def main() -> None:
    """Play one episode and print how it was graded."""
    env = gym.make(
        "ShopAdmin-v0", task="store.admin/cancel-order", split="train", observations=("axtree", "screenshot")
    )
    try:
        observation, _ = env.reset(seed=7)
        print(observation["goal"])
        print(observation["axtree"][:400])
        action = 'finish(outcome="DONE")'  # your agent's choice, from observation["axtree"] or ["screenshot"]
        _, reward, terminated, _, info = env.step(action)
        print(f"reward {reward}, terminated {terminated}, goal met {info['goal_met']}, clean {info['clean']}")
    finally:
        env.close()


if __name__ == "__main__":
    main()
