/** Button that cycles through light, dark and system. */
import { announce, delegateClick, findElement } from './dom.ts'
import { applyScheme, chooseScheme, currentScheme, darkSchemeQuery, SCHEMES } from './scheme.ts'

export function initSchemeSwitch(): void {
  darkSchemeQuery().addEventListener('change', () => applyScheme(currentScheme()))
  addEventListener('storage', () => applyScheme(currentScheme()))
  describe()
  delegateClick('.theme-toggle', () => {
    const next = SCHEMES[(SCHEMES.indexOf(currentScheme()) + 1) % SCHEMES.length] ?? 'system'
    chooseScheme(next)
    announce(describe())
  })
}

function describe(): string {
  const button = findElement('.theme-toggle')
  if (!button) return ''
  const names = JSON.parse(button.dataset.modes ?? '{}') as Record<string, string>
  const label = `${button.dataset.title}: ${names[currentScheme()] ?? ''}`
  button.setAttribute('aria-label', label)
  button.title = label
  return label
}
