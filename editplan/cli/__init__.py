"""The command line."""


def main() -> None:
    """Says that the commands come with the main job."""
    raise SystemExit("editplan: the commands come with the next step; the kernel can be imported")
