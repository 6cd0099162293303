"""The addresses of lists of payments, for who is logged in as the admin.

/SessionReceipt/CODE             the list to print, with a column to sign
/session_payments/CODE/NAME      a file of `server.payroll.files`, `prolific` or `payments`
"""

from __future__ import annotations

from html import escape

from otree.views import cbv
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from mixed_company.server.open.going_on import with_database
from mixed_company.server.paying import currency
from mixed_company.server.payroll.files import FILES
from mixed_company.server.payroll.lines import payroll
from mixed_company.server.payroll.words import words

__all__ = ["ROUTES"]


def _nothing(what: str) -> Response:
    return PlainTextResponse(f"{what}\n", status_code=404)


class SessionReceipt(cbv.AdminView):
    """The page; templates escape nothing."""

    async def get(self, request: Request, code: str) -> Response:
        paid = await with_database(lambda: payroll(code))
        if paid is None:
            return _nothing(f"session {code}: there is no such session")
        rows = [
            {"name": escape(line.name), "code": line.code, "payment": str(currency(line.payment))}
            for line in paid.lines
        ]
        labels = words()
        shown = {
            "code": code,
            "name": escape(paid.name),
            "words": labels,
            "rows": rows,
            "total": str(currency(paid.total)),
            "counts": labels["counts"].format(paid=len(rows), unpaid=paid.unpaid),
        }
        page: Response = self.render_to_response(self.get_context_data(**shown))
        return page

    def get_template_name(self) -> str:
        return "mixed/SessionReceipt.html"


class SessionPaymentFile(cbv.AdminView):
    """A file."""

    async def get(self, request: Request, code: str, name: str) -> Response:
        write = FILES.get(name)
        if write is None:
            return _nothing(f"{name[:60]!r}: should be one of {', '.join(FILES)}")
        paid = await with_database(lambda: payroll(code))
        if paid is None:
            return _nothing(f"session {code}: there is no such session")
        head = {"content-disposition": f'attachment; filename="{name}_{code}.csv"'}
        return PlainTextResponse(write(paid), headers=head, media_type="text/csv")


ROUTES = [
    Route("/SessionReceipt/{code}", SessionReceipt, name="SessionReceipt"),
    Route("/session_payments/{code}/{name}", SessionPaymentFile, name="SessionPaymentFile"),
]
"""The addresses; `server.mends` hands them to oTree."""
