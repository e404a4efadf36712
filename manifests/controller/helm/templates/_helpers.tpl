{{- define "tau-core-controller.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{- define "tau-core-controller.serviceAccountName" -}}
{{- default "tau-core-controller" .Values.serviceAccount.name -}}
{{- end -}}

{{- define "tau-core-controller.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag }}
{{- end -}}
{{- end -}}
