"""Somebody with an account, who acts without a browser: to set scenes, in milliseconds."""

from itertools import count

from tests.browser.house import House

PASSWORD = "correct horse"

_numbers = count(1)


class Account:
    """A plain client of the house; its name is empty until it has signed up."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.name = ""
        self.client = house.app.test_client()

    def sign_up_quietly(self, name: str) -> None:
        """Make an account by a name that nobody has, because a number follows it."""
        number = next(_numbers)
        self.name = f"{name}-{number}"
        # From an address of their own: sign-ups are counted by address.
        self.client.environ_base["REMOTE_ADDR"] = f"10.0.{number // 250}.{number % 250}"
        self.send("/sign-up", name=self.name, password=PASSWORD)
        self.client.get("/tables")  # The welcome is said there, once.

    def send(self, path: str, **form: str) -> str:
        """Send a form; return where it leads."""
        answer = self.client.post(path, data=form)
        assert answer.status_code == 303, answer.text
        return answer.location

    def cookie(self) -> str:
        """Return what makes any browser this person's."""
        cookie = self.client.get_cookie("session")
        assert cookie is not None
        return cookie.value
