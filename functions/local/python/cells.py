"""Cells as `local show --json` prints them."""

import datetime
import decimal


def fraction(digits):
    """Digits of a second: none, three or six, as few as hold them."""
    digits = digits.rstrip("0")
    if not digits:
        return ""
    return "." + digits.ljust(3 if len(digits) <= 3 else 6, "0")


def cell(value):
    if isinstance(value, datetime.datetime):
        zoned = value.tzinfo is not None
        value = value.astimezone(datetime.timezone.utc) if zoned else value
        text = value.strftime("%Y-%m-%dT%H:%M:%S") + fraction(f"{value.microsecond:06d}")
        return text + ("Z" if zoned else "")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return value
