/** Returns whether the Accept header lists Markdown with at least the quality of HTML, or plain text but not HTML. */
export function wantsMarkdown(accept: string): boolean {
  const weights = new Map<string, number>()
  for (const part of accept.toLowerCase().split(',', 50)) {
    const [type = '', ...parameters] = part.split(';').map((one) => one.trim())
    const weight = parameters.find((one) => one.startsWith('q='))
    weights.set(type, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const html = weights.get('text/html') ?? 0
  const markdown = weights.get('text/markdown') ?? 0
  if (markdown > 0) return markdown >= html
  return (weights.get('text/plain') ?? 0) > 0 && html === 0 && !weights.has('*/*')
}
