/** Returns an example call; the key is read from a variable, so that it stays out of the shell history. */
export function curlLine(publicUrl: string, projectId: string): string {
  return `curl "${publicUrl}/v1/analytics/${projectId}/feedback?limit=5" \\\n  -H "Authorization: Bearer $OCTAVO_KEY"`
}

/** Returns an example search with an assistant key, which is read from a variable too. */
export function searchCurlLine(publicUrl: string): string {
  return `curl "${publicUrl}/discovery/v1/search/{domain}" \\\n  -H "Authorization: Bearer $OCTAVO_KEY" \\\n  --json '{"query": "install"}'`
}
