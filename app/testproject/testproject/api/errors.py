"""Errors of the API: each is a status, a code for programs and a line for people."""

from django.http import JsonResponse


class ApiError(Exception):
    """Becomes `{"error": {"code", "message", "parameter"?}}` with its status and headers."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        parameter: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.parameter = parameter
        self.headers = headers or {}

    def response(self) -> JsonResponse:
        error = {"code": self.code, "message": self.message}
        if self.parameter is not None:
            error["parameter"] = self.parameter
        return JsonResponse({"error": error}, status=self.status, headers=self.headers)


def bad_parameter(parameter: str, code: str, message: str) -> ApiError:
    return ApiError(400, code, message, parameter=parameter)
