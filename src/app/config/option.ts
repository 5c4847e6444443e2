/** Description of a node setting. */
export interface Option {
  env: string
  flag?: string
  /** Purpose and unit of the setting. Ends with the behavior if the setting is omitted. */
  help: string
  default?: string
  isSecret?: true
}

export interface IntegerOption extends Option {
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
