/** Tokens of an answer: what the provider counted when that can be, an estimate otherwise. */
import type { ModelUsage } from './model.ts'

const BYTES_PER_TOKEN = 4
/** More than any model takes or gives at once: a count above it is a mistake, and would end the job at its cap. */
const MOST_TOKENS = 10_000_000

/** `asked` and `answered` are the text of both ways. Each count is at least 1. */
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
