/** Tokens of an answer: the provider's count if plausible, otherwise an estimate. */
import type { ModelUsage } from './model.ts'

const BYTES_PER_TOKEN = 4
/** More tokens than any model supports: a higher count is wrong and would exhaust the job's budget. */
const MAX_TOKENS = 10_000_000

/** Returns token counts of at least 1. `asked` and `answered` are the texts of both directions. */
export function countUsage(
  counted: { inputTokens: unknown; outputTokens: unknown; cachedTokens?: unknown },
  requestText: string,
  answerText: string,
): ModelUsage {
  const inputTokens = plausibleCount(counted.inputTokens)
  const cached = plausibleCount(counted.cachedTokens)
  return {
    inputTokens: inputTokens ?? estimate(requestText),
    outputTokens: plausibleCount(counted.outputTokens) ?? estimate(answerText),
    ...(inputTokens !== null && cached !== null && { cachedTokens: Math.min(cached, inputTokens) }),
  }
}

function plausibleCount(count: unknown): number | null {
  if (typeof count !== 'number' || !(count >= 1) || count > MAX_TOKENS) return null
  return Math.ceil(count)
}

function estimate(text: string): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN))
}
