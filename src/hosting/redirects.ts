/** Redirects of a site: exact sources first, then the wildcard with the longest prefix. */

interface RedirectRule {
  source: string
  destination: string
  isPermanent: boolean
}

/** Null when no rule applies to the path. The captured rest takes the place of `*` or `:slug*` in the destination. */
export function findRedirect(
  rules: readonly RedirectRule[],
  path: string,
): { destination: string; isPermanent: boolean } | null {
  const tidy = path.length > 1 ? path.replace(/\/+$/, '') : path
  const exact = rules.find((rule) => rule.source === tidy)
  if (exact) return leadsElsewhere(exact, exact.destination, tidy)

  let best: { rule: RedirectRule; prefix: string } | null = null
  for (const rule of rules) {
    const prefix = wildcardPrefix(rule.source)
    if (prefix === null || !tidy.startsWith(prefix)) continue
    if (best === null || prefix.length > best.prefix.length) best = { rule, prefix }
  }
  if (best === null) return null
  const rest = encodeURI(tidy.slice(best.prefix.length))
  const destination = best.rule.destination.replace(/:\w+\*|\*/, () => rest)
  // Two slashes at the start would name another host: the rest is a reader's text.
  return leadsElsewhere(best.rule, destination.replace(/^\/{2,}/, '/'), tidy)
}

function wildcardPrefix(source: string): string | null {
  const at = source.search(/:\w+\*|\*/)
  return at < 0 ? null : source.slice(0, at)
}

/** A rule that leads to where the reader already is does not apply: it would turn in a circle. */
function leadsElsewhere(rule: RedirectRule, destination: string, path: string) {
  return destination === path ? null : { destination, isPermanent: rule.isPermanent }
}
