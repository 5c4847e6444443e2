/** CSS for the utility classes that pages use, in the dialect that authors of docs.json sites know. */
import { createGenerator } from '@unocss/core'
import { presetWind3 } from '@unocss/preset-wind3'

/** More than any honest site uses. */
const CLASS_LIMIT = 20_000
const CLASS_NAME = /^[!-~]{1,200}$/

/**
 * Only rules for the given classes, no reset: the theme has its own. Dark variants follow `.dark` on the root.
 * Names that mean nothing to the generator cost nothing.
 */
export async function utilityCss(classes: ReadonlySet<string>): Promise<string> {
  const names = [...classes]
    .filter((name) => CLASS_NAME.test(name))
    .sort()
    .slice(0, CLASS_LIMIT)
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

/** The site's own colours, by the custom properties of the theme. */
const SITE_COLORS = {
  primary: 'var(--brand)',
  light: 'var(--brand-light)',
  dark: 'var(--brand-dark)',
}

/** A class whose text makes the generator fail is left out, so that it costs itself and not the style sheet. */
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
