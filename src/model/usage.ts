/** Counts the tokens of an answer. Uses the provider's count if plausible, otherwise an estimate. */
import type { ModelUsage } from './model.ts'

const BYTES_PER_TOKEN = 4
/** Higher counts are implausible for any model and would exhaust the job's budget. */
const MAX_TOKENS = 10_000_000

/** Returns token counts of at least 1. The two texts are only used for an estimate. */
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
