from django.urls import path

from testproject.api import enqueue, executions, views

urlpatterns = [
    path("health", views.health),
    path("metrics", views.metrics),
    path("queues", views.queues),
    path("executions", executions.executions),
    path("executions/stats", executions.stats),
    path("enqueue/add/<str:a>/<str:b>", enqueue.add),
    path("enqueue/hold/<str:seconds>", enqueue.hold),
    path("<path:rest>", views.not_found),
    path("", views.not_found),
]
