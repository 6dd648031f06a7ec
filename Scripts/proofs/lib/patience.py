"""The timeout of the proofs."""

# The seconds after which anything counts as hanging, on a busy machine.
PATIENCE = 180
