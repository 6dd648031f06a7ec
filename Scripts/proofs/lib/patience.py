"""How long the proofs wait."""

# How many seconds anything may take before it counts as hanging, on a machine that has much else to do.
PATIENCE = 180
