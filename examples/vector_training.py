"""Many shops at once: the loop of a trainer over a vector environment, with faults kept out of what is learnt."""

import gymnasium as gym
import numpy as np

NUM_ENVS = 3
STEPS = 6


def policy(observations: dict) -> list[str]:
    """One action for each slot; your model's, which may answer for all of them in one batch."""
    return ['finish(outcome="NOT_FOUND")' if left <= 2 else "wait(10)" for left in observations["steps_left"]]


def main() -> None:
    """Play a few steps in every slot and print what would be learnt from."""
    envs = gym.make_vec(
        "sitegym:ShopAdmin-v0", num_envs=NUM_ENVS, task="store.admin/*", split="train", max_steps=4, data="tiny"
    )
    envs = gym.wrappers.vector.RecordEpisodeStatistics(envs)
    try:
        observations, _ = envs.reset(seed=7)
        over = np.zeros(NUM_ENVS, dtype=bool)
        episodes = kept = 0
        for _ in range(STEPS):
            began = over  # in the step after an ending the next episode begins, whatever the action was
            observations, _, terminated, truncated, infos = envs.step(policy(observations))
            over = terminated | truncated
            fault = infos.get("_fault", np.zeros(NUM_ENVS, dtype=bool))
            episodes += int((over & ~fault).sum())
            kept += int((~began & ~fault).sum())  # transitions to learn from
        print(f"{episodes} episodes ended, {kept} of {NUM_ENVS * STEPS} transitions are kept")
    finally:
        envs.close()


if __name__ == "__main__":
    main()
