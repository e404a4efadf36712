from django.contrib import admin
from django.urls import include, path

from testproject.status.views import status_page

urlpatterns = [
    path("", status_page),
    path("api/", include("testproject.api.urls")),
    path("admin/", admin.site.urls),
]
