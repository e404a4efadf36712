{{- define "django-ray.configDigest" -}}
{{- $root := index . 0 -}}
{{- $rendered := index . 1 -}}
{{- if eq $root.Values.release.archiveUri "file:///runtime-env/django-ray-source-000000000000-000000000000.zip" -}}
{{ $rendered }}
{{- else -}}
{{ printf "%s %s" $rendered $root.Values.release.archiveUri | sha256sum | trunc 16 }}
{{- end -}}
{{- end -}}
