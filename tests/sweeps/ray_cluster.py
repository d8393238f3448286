"""A Ray cluster on this machine's loopback, as a program: `python ray_cluster.py NODES FOLDER`.

Its head has no CPUs, its nodes have one each. It prints its address, then the process of each node as it begins; a line
`add` on its input begins one more, the end of the input ends all.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

from ray._private import services
from ray.cluster_utils import Cluster

PATIENCE_S = 300.0
"""How long a node may take to begin; Ray's own 30 s are short where many tests share few cores."""

AGENT_PORTS = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port")
"""Ports of a node's agent, which has none of them without a dashboard."""


def main(count: int, folder: str) -> None:
    """Begin, obey, end."""
    os.environ["RAY_TMPDIR"] = folder  # a cluster's address is noted there, in a folder that nobody makes
    (Path(folder) / "ray").mkdir()
    services.get_node = patiently(services.get_node)
    services.start_raylet = with_ports(services.start_raylet)
    head = {**alike(), "num_cpus": 0, "include_dashboard": False, "temp_dir": folder}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        print(cluster.address, flush=True)
        for _ in range(count):
            add(cluster)
        for _ in sys.stdin:
            add(cluster)
    finally:
        cluster.shutdown()


def add(cluster: Cluster) -> None:
    """One more node."""
    node = cluster.add_node(**alike(), num_cpus=1)
    (raylet,) = node.all_processes["raylet"]
    print(raylet.process.pid, flush=True)


def patiently(ask: Any) -> Any:
    """The same function, which takes its time until it can answer."""

    def asked(*about: Any) -> Any:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return ask(*about)
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    return asked


def with_ports(start: Any) -> Any:
    """The same function, which first writes down the ports that the node waits for: it gives up after 15 s, which its
    helpers may take to import what they need."""

    def started(*about: Any, **more: Any) -> Any:
        node, session = about[2], Path(about[11])
        for name in AGENT_PORTS:
            (session / f"{name}_{node}").write_text("-1")
        (session / f"runtime_env_agent_port_{node}").write_text(str(more["runtime_env_agent_port"]))
        return start(*about, **more)

    return started


def alike() -> dict[str, Any]:
    """What all nodes are begun with."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    common = {"node_ip_address": "127.0.0.1", "object_store_memory": 80 * 2**20, "include_log_monitor": False}
    return {**common, "runtime_env_agent_port": port}


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
