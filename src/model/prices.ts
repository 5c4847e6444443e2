/** Calculates the cost of answers from the operator's price list, and the weight of cached tokens. */
import type { ModelUsage } from './model.ts'
import type { Provider } from './providers.ts'

/** US dollars per million tokens. */
export interface Price {
  input: number
  output: number
  /** Price of input read from the provider's cache. */
  cached?: number
}

/** Prices by `<provider>:<model>`. */
export type ModelPrices = Readonly<Record<string, Price>>

/** Price of cached input relative to uncached input, for the most expensive model of each provider. */
const CACHED_TOKEN_PRICE_SHARE: Partial<Record<Provider, number>> = {
  anthropic: 0.1,
  google: 0.25,
  openai: 0.5,
}

/**
 * Returns US dollars; null if the model is not in the list. Considers the price of cached tokens, but no other
 * discounts or surcharges.
 */
export function calculateCost(prices: ModelPrices, name: string, usage: ModelUsage): number | null {
  const price = findPrice(prices, name)
  if (price === null) return null
  const { inputTokens, outputTokens, cachedTokens = 0 } = usage
  const cached = price.cached ?? price.input * cachedTokenShare(prices, name)
  const uncachedTokens = inputTokens - cachedTokens
  return (uncachedTokens * price.input + cachedTokens * cached + outputTokens * price.output) / 1e6
}

/** Returns the tokens that count towards a budget. Cached tokens are weighted by their relative price. */
export function weightedTokens(prices: ModelPrices, name: string, usage: ModelUsage): number {
  const { inputTokens, outputTokens, cachedTokens = 0 } = usage
  return inputTokens - cachedTokens + Math.ceil(cachedTokens * cachedTokenShare(prices, name)) + outputTokens
}

function cachedTokenShare(prices: ModelPrices, name: string): number {
  const price = findPrice(prices, name)
  if (price?.cached !== undefined && price.input > 0) return Math.min(1, price.cached / price.input)
  const provider = name.slice(0, Math.max(0, name.indexOf(':')))
  return Object.hasOwn(CACHED_TOKEN_PRICE_SHARE, provider)
    ? (CACHED_TOKEN_PRICE_SHARE[provider as Provider] ?? 1)
    : 1
}

function findPrice(prices: ModelPrices, name: string): Price | null {
  return Object.hasOwn(prices, name) ? (prices[name] ?? null) : null
}

const PART = /^([^=]+:[^=]+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)(?:\/(\d+(?:\.\d+)?))?$/

/**
 * Parses `<provider>:<model>=<input>/<output>[/<cached input>]`, separated by commas. Returns null if
 * invalid.
 */
export function parsePrices(text: string): ModelPrices | null {
  const prices: [string, Price][] = []
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name, input, output, cached] = PART.exec(part.trim()) ?? []
    if (name === undefined) return null
    const price: Price = { input: Number(input), output: Number(output) }
    prices.push([name, cached === undefined ? price : { ...price, cached: Number(cached) }])
  }
  return Object.fromEntries(prices)
}
