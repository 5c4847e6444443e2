/** What an answer costs, by the operator's own price list. */
import type { ModelUsage } from './model.ts'

/** US dollars for a million tokens. */
export interface Price {
  input: number
  output: number
}

/** By `<provider>:<model>`. */
export type ModelPrices = Readonly<Record<string, Price>>

/** In US dollars; null when the model is not in the list. Parts of a price that providers take off are not known here. */
export function costOf(prices: ModelPrices, name: string, usage: ModelUsage): number | null {
  const price = Object.hasOwn(prices, name) ? prices[name] : undefined
  if (price === undefined) return null
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6
}

/** `<provider>:<model>=<input>/<output>`, separated by commas. Null when a part of it is none. */
export function parsePrices(text: string): ModelPrices | null {
  const prices: [string, Price][] = []
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name, input, output] = /^([^=]+:[^=]+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(part.trim()) ?? []
    if (name === undefined) return null
    prices.push([name, { input: Number(input), output: Number(output) }])
  }
  return Object.fromEntries(prices)
}
