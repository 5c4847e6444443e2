/** Tokens of an answer: the provider's count if plausible, otherwise an estimate. */
import type { ModelUsage } from './model.ts'

const BYTES_PER_TOKEN = 4
/** More tokens than any model supports: a higher count is wrong and would exhaust the job's budget. */
const MOST_TOKENS = 10_000_000

/** Returns token counts of at least 1. `asked` and `answered` are the texts of both directions. */
export function countUsage(
  counted: { inputTokens: unknown; outputTokens: unknown; cachedTokens?: unknown },
  asked: string,
  answered: string,
): ModelUsage {
  const inputTokens = credible(counted.inputTokens)
  const cached = credible(counted.cachedTokens)
  return {
    inputTokens: inputTokens ?? estimate(asked),
    outputTokens: credible(counted.outputTokens) ?? estimate(answered),
    ...(inputTokens !== null && cached !== null && { cachedTokens: Math.min(cached, inputTokens) }),
  }
}

function credible(count: unknown): number | null {
  if (typeof count !== 'number' || !(count >= 1) || count > MOST_TOKENS) return null
  return Math.ceil(count)
}

function estimate(text: string): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN))
}
