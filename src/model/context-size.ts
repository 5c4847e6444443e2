/** Context windows of models in tokens, for input and output together. */

/** Published context windows by prefix of the model name. The first match applies. */
const KNOWN_CONTEXT_SIZES: readonly [beginning: string, tokens: number][] = [
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
/** Default for model servers. The documentation requires at least this size. */
const DEFAULT_CONTEXT_TOKENS = 32_000

/**
 * Returns the context window of a model. `configured` is the operator's model, with `tokens` null if the operator set
 * no context window.
 */
export function contextSize(name: string, configured: { name: string; tokens: number | null }): number {
  if (configured.tokens !== null && name === configured.name) return configured.tokens
  const known = KNOWN_CONTEXT_SIZES.find(([beginning]) => name.startsWith(beginning))
  if (known !== undefined) return known[1]
  // Assumes that other models on the same server are configured in the same way.
  return isSameProvider(name, configured.name)
    ? (configured.tokens ?? DEFAULT_CONTEXT_TOKENS)
    : DEFAULT_CONTEXT_TOKENS
}

function isSameProvider(a: string, b: string): boolean {
  return a.slice(0, a.indexOf(':')) === b.slice(0, b.indexOf(':'))
}
