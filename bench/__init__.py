"""The numbers of the README, each reproduced by one file here; `./run bench` runs them all. Not part of the wheel."""
