import type { Limit } from '../../base/api/limits.ts'
import { type IntegerOptionName, OPTIONS, type OptionName } from './config-options.ts'
import type { Option } from './option.ts'

export type Text = (name: OptionName) => string | null

export type Reader = ReturnType<typeof createReader>

/** Returns parsers for the various kinds of settings, which add a message to `faults` for invalid values. */
export function createReader(text: Text, faults: string[]) {
  const fault = (name: OptionName, expected: string) => {
    const option: Option = OPTIONS[name]
    const shown = option.isSecret ? 'its value' : `"${text(name)}"`
    faults.push(`${option.env} must be ${expected}, not ${shown}.`)
  }
  return {
    integer(name: IntegerOptionName): number {
      const [least, most] = OPTIONS[name].range
      const value = text(name) ?? ''
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (number >= least && number <= most) return number
      fault(name, `a whole number from ${least} to ${most}`)
      return least
    },
    boolean(name: OptionName): boolean {
      const value = text(name)
      if (value !== 'true' && value !== 'false') fault(name, 'true or false')
      return value === 'true'
    },
    oneOf<Choice extends string>(name: OptionName, choices: readonly Choice[]): Choice {
      const value = choices.find((choice) => choice === text(name))
      if (value === undefined) fault(name, `one of ${choices.join(', ')}`)
      return value ?? (choices[0] as Choice)
    },
    /** Parses `<count>/<seconds>`. */
    limit(name: OptionName): Limit {
      const match = /^(\d{1,7})\/(\d{1,6})$/.exec(text(name) ?? '')
      const limit = { count: Number(match?.[1]), seconds: Number(match?.[2]) }
      if (limit.count >= 1 && limit.seconds >= 1) return limit
      fault(
        name,
        '<count>/<seconds> with a count from 1 to 9999999 and seconds from 1 to 999999, for example 100/3600',
      )
      return { count: 1, seconds: 1 }
    },
    origin(name: OptionName): string | null {
      const value = text(name)
      if (value === null) return null
      const url = URL.parse(value)
      if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username)
        return url.origin
      fault(name, 'an http or https URL without a path, for example https://octavo.example.com')
      return null
    },
  }
}
