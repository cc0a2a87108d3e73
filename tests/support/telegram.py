"""A stand-in for Telegram: what is written to the bot, and what the bot writes."""

from typing import Any

TOKEN = "123456:a-token_of-a-bot"


class Telegram:
    """Answers as Telegram does for one bot; `refusal` is what it says to every message."""

    def __init__(self) -> None:
        self.inbox: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.refusal: dict[str, Any] | None = None

    def write(self, text: str, chat: int = 77, **facts: Any) -> None:
        """Let somebody write to the bot."""
        whom = {"id": chat, "type": "private", "first_name": "Ann T.", **facts}
        number = self.inbox[-1]["update_id"] + 1 if self.inbox else 500
        self.inbox.append({"update_id": number, "message": {"chat": whom, "text": text}})

    def answer(self, path: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Answer a call of the bot's interface."""
        method = path.rpartition("/")[2]
        self.asked.append(method)
        if path != f"/bot{TOKEN}/{method}":
            return {"ok": False, "error_code": 401, "description": "Unauthorized"}
        if method == "getMe":
            return {"ok": True, "result": {"username": "stockpile_bot"}}
        if method == "getUpdates":
            self.inbox = [one for one in self.inbox if one["update_id"] >= arguments["offset"]]
            return {"ok": True, "result": self.inbox[:2]}
        assert method == "sendMessage"
        if self.refusal is not None:
            return {"ok": False, **self.refusal}
        self.sent.append(arguments)
        return {"ok": True, "result": {"message_id": len(self.sent)}}
