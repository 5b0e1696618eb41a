"""How methods are called in the tables."""

import peers
from jobs import SUPERVISED

OWN = ("forward t=1", "forward t=2", "forward t=3", "union t=1", "union t=2", "union t=3", "loose t=2")
PEER_NAMES = {method: peer.name for method, peer in peers.PEERS.items() if method in SUPERVISED}


def own_methods():
    extra = {"union": ", Algorithm 1", "loose": ", `--alpha 0.5`"}
    return {method: f"fsieve{extra.get(method.split()[0], '')}, t = {method[-1]}" for method in OWN}
