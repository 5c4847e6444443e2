{{- define "octavo.labels" -}}
app.kubernetes.io/name: octavo
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- /* A Deployment of one role: takes "root", "role" and "scratch". */}}
{{- define "octavo.node" -}}
{{- $values := .root.Values }}
{{- $node := index $values .role }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .role }}
  labels:
    {{- include "octavo.labels" . | nindent 4 }}
    app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
spec:
  replicas: {{ $node.replicas }}
  selector:
    matchLabels:
      {{- include "octavo.labels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "octavo.labels" . | nindent 8 }}
      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/port: '9100'
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      automountServiceAccountToken: false
      # Jobs are handed on and requests come to their end.
      terminationGracePeriodSeconds: 60
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile: { type: RuntimeDefault }
      {{- with $values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: octavo
          image: {{ printf "%s:%s" $values.image.repository ($values.image.tag | default .root.Chart.AppVersion) | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: [start, --role, {{ .role }}, --no-sample]
          env:
            - name: OCTAVO_PUBLIC_URL
              value: {{ $values.publicUrl | quote }}
            - name: OCTAVO_TRUSTED_PROXIES
              value: {{ $values.trustedProxies | quote }}
            - name: OCTAVO_METRICS_PORT
              value: '9100'
            - name: OCTAVO_METRICS_FROM
              value: {{ join "," $values.metricsFrom | quote }}
            - name: OCTAVO_S3_BUCKET
              value: {{ $values.s3.bucket | quote }}
            - name: OCTAVO_S3_REGION
              value: {{ $values.s3.region | quote }}
            {{- with $values.s3.endpoint }}
            - name: OCTAVO_S3_ENDPOINT
              value: {{ . | quote }}
            {{- end }}
            - name: OCTAVO_S3_PATH_STYLE
              value: {{ $values.s3.pathStyle | quote }}
            {{- if eq .role "worker" }}
            - name: OCTAVO_WORKERS
              value: {{ $node.jobs | quote }}
            - name: OCTAVO_RENDER_CHILDREN
              value: {{ $node.renderChildren | quote }}
            {{- end }}
            {{- range $name, $value := $values.settings }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
          envFrom:
            - secretRef:
                name: {{ $values.existingSecret }}
          ports:
            {{- if eq .role "api" }}
            - { name: http, containerPort: 4000 }
            {{- end }}
            - { name: metrics, containerPort: 9100 }
          startupProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 20
            timeoutSeconds: 5
          {{- if eq .role "api" }}
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
          {{- end }}
          resources:
            {{- toYaml $node.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: data
          emptyDir: { sizeLimit: {{ .scratch }} }
        - name: tmp
          emptyDir: {}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
