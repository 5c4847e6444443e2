/** Which models take pictures beside text, by the beginning of their names, as their makers publish it. */
const SEEING = [
  'anthropic:claude',
  'google:gemini',
  'openai:gpt-4o',
  'openai:gpt-4.1',
  'openai:gpt-5',
  'openai:o3',
  'openai:o4',
]

/** `others`: what the operator says of models of which nothing is known here. */
export function seesPictures(name: string, others: boolean): boolean {
  return (
    SEEING.some((beginning) => name.startsWith(beginning)) ||
    (others && name.startsWith('openai-compatible:'))
  )
}
