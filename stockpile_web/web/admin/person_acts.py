"""What an administrator may do to an account, each with the words that say what it means."""

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy.orm import Session

from stockpile_web.people import administrators, suspension
from stockpile_web.storage import mail_queue
from stockpile_web.storage.models.people import LINK, Person, User
from stockpile_web.web.accounts import reset


class Act(NamedTuple):
    """Something that may be done to an account, after a page that says what it means."""

    event: str  # As the audit log knows it.
    button: str
    words: str  # What will happen.
    done: str
    # It returns what the administrator is shown, once. None: it takes more than one transaction.
    do: Callable[[Session, User], str | None] | None
    typed: bool = False  # It cannot be undone: the name has to be typed.


def open_to(user: User, by: Person) -> list[str]:
    """Return what somebody may do to an account as it stands.

    One's own is deleted under Settings, like anybody's.
    """
    if user.is_guest:
        return ["delete"]
    link = "send-link" if user.email else "make-link"
    if user.id == by.id:
        return [link, "unmake-administrator"]
    suspended = ["lift"] if user.suspended_at else ["suspend", link]
    rights = ["unmake-administrator"] if user.is_admin else ["make-administrator"]
    return [*suspended, *([] if user.suspended_at else rights), "delete"]


def _suspend(tx: Session, user: User) -> None:
    administrators.must_not_be_last(tx, user.id)
    suspension.suspend(tx, user)


def _lift(_tx: Session, user: User) -> None:
    suspension.lift(user)


def _send_link(tx: Session, user: User) -> None:
    mail_queue.write(tx, LINK, "", user_id=user.id)


def _make_link(tx: Session, user: User) -> str:
    return reset.new_link(tx, user.id)


def _make(_tx: Session, user: User) -> None:
    user.is_admin = True


ACTS = {
    "suspend": Act(
        "suspended",
        "Suspend the account",
        "They are signed out everywhere at once and cannot sign in until you lift it. They are "
        "told so, and to ask you. Their seats go on as those of anybody who is absent: when their "
        "time runs out their turns are played. They are sent nothing meanwhile.",
        "The account is suspended, and signed out everywhere.",
        _suspend,
    ),
    "lift": Act(
        "lifted",
        "Lift the suspension",
        "They can sign in again, with the password they had.",
        "The suspension is lifted: they can sign in again.",
        _lift,
    ),
    "send-link": Act(
        "link sent",
        "Send a link for a new password",
        "A mail with a link goes to their address. It is valid for an hour, and once. Where there "
        "is no mail server, you find it among the mails that were kept.",
        "The link is on its way.",
        _send_link,
    ),
    "make-link": Act(
        "link made",
        "Make a link for a new password",
        "There is no address to which one could be sent, so you are shown a link, once, and pass "
        "it on yourself. It is valid for an hour, and once. Whoever opens it chooses the password, "
        "and is signed in: give it to nobody else, and only if you are sure who asks for it. The "
        "audit log says that you have made it.",
        "",
        _make_link,
    ),
    "make-administrator": Act(
        "made administrator",
        "Make an administrator",
        "They can do all that you can do here, and take your rights away. Of a match that is "
        "played they see no more than before.",
        "They administer this site as well from now on.",
        _make,
    ),
    "unmake-administrator": Act(
        "administers no more",
        "Take the rights away",
        "They administer this site no more. Their account stays as it is.",
        "They administer this site no more.",
        administrators.step_down,
    ),
    "delete": Act(
        "removed",
        "Delete the account",
        "Name, address, password and devices are removed at once and cannot be brought back. "
        "Games that they took part in remain for the others; in them they become a “former "
        "player”, and bots play on for them.",
        "The account is deleted.",
        None,
        typed=True,
    ),
}
