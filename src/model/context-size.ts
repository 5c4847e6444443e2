/** How many tokens a model takes at once, input and output together. */

/** Of families of models, by the beginning of their names; the first that fits. As their makers publish it. */
const KNOWN: readonly [beginning: string, tokens: number][] = [
  ['anthropic:claude', 200_000],
  ['openai:gpt-4.1', 1_000_000],
  ['openai:gpt-5', 400_000],
  ['openai:o1', 200_000],
  ['openai:o3', 200_000],
  ['openai:o4', 200_000],
  ['openai:', 128_000],
  ['google:gemini', 1_000_000],
  ['replay:', 200_000],
]
/** Of a server that says nothing about itself: what the documentation asks for at the least. */
const UNKNOWN = 32_000

/** `configured` is the operator's model, and what the operator says of it. */
export function contextSize(name: string, configured: { name: string; tokens: number | null }): number {
  if (configured.tokens !== null && name === configured.name) return configured.tokens
  const known = KNOWN.find(([beginning]) => name.startsWith(beginning))
  if (known !== undefined) return known[1]
  // Another model of the same server is as likely to be set up alike.
  return isSameProvider(name, configured.name) ? (configured.tokens ?? UNKNOWN) : UNKNOWN
}

function isSameProvider(a: string, b: string): boolean {
  return a.slice(0, a.indexOf(':')) === b.slice(0, b.indexOf(':'))
}
