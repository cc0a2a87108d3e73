"""What the other side says when it does not take a message."""

LONGEST_ANSWER = 300


class Failed(Exception):
    """The other side did not take a message; `for_good` if it never will.

    It may have said by a `status` why, and for how many seconds to `wait`.
    """

    def __init__(self, answer: str, *, for_good: bool, status: int = 0, wait: float = 0) -> None:
        super().__init__(answer[:LONGEST_ANSWER])
        self.for_good = for_good
        self.status = status
        self.wait = wait


class Skipped(Failed):
    """It was not tried: the host has just let others wait."""

    def __init__(self, host: str) -> None:
        super().__init__(f"{host} does not answer others either.", for_good=False)
