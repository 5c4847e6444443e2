/** CSS for the utility classes used by pages, in the syntax familiar to authors of docs.json sites. */
import { createGenerator } from '@unocss/core'
import { presetWind3 } from '@unocss/preset-wind3'

/** Maximum number of classes; more than any legitimate site uses. */
const MAX_CLASSES = 20_000
const CLASS_NAME = /^[!-~]{1,200}$/

/**
 * Returns rules for the given classes only, without a reset, because the theme contains one. Dark variants
 * depend on `.dark` on the root. Unknown names have no effect.
 */
export async function utilityCss(classes: ReadonlySet<string>): Promise<string> {
  const names = [...classes]
    .filter((name) => CLASS_NAME.test(name))
    .sort()
    .slice(0, MAX_CLASSES)
  const generator = await createGenerator({
    presets: [presetWind3({ dark: 'class', preflight: 'on-demand' })],
    theme: {
      colors: {
        primary: SITE_COLORS.primary,
        'primary-light': SITE_COLORS.light,
        'primary-dark': SITE_COLORS.dark,
      },
    },
  })
  const usable = new Set<string>()
  for (const name of names) if (await isUsable(generator, name)) usable.add(name)
  const { css } = await generator.generate(usable, { preflights: true, minify: true, safelist: false })
  return css
}

const SITE_COLORS = {
  primary: 'var(--brand)',
  light: 'var(--brand-light)',
  dark: 'var(--brand-dark)',
}

/**
 * Returns false for a class that makes the generator fail, so that it does not break the whole style sheet.
 */
async function isUsable(
  generator: Awaited<ReturnType<typeof createGenerator>>,
  name: string,
): Promise<boolean> {
  try {
    return (await generator.parseToken(name)) != null
  } catch {
    return false
  }
}
