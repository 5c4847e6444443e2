/** Description of a node setting. */
export interface Option {
  env: string
  /** Flag of `octavo start`, without dashes. */
  flag?: string
  /** Purpose and unit of the setting. Ends with the meaning of leaving it out. */
  help: string
  /** Default value as text; absent leaves the setting unset. */
  default?: string
  isSecret?: true
}

export interface IntegerOption extends Option {
  /** Minimum and maximum. */
  range: readonly [number, number]
}

/** Declares a whole-number setting. `{range}` in its help is replaced by the limits. */
export function integerOption<const Row extends Option>(
  minimum: number,
  maximum: number,
  row: Row,
): Row & IntegerOption {
  return { ...row, help: row.help.replace('{range}', `${minimum} to ${maximum}`), range: [minimum, maximum] }
}
