/** DOM helpers. */

export function all<E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E[] {
  return [...root.querySelectorAll<E>(selector)]
}

export function one<E extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): E | null {
  return root.querySelector<E>(selector)
}

/** Delegated click listener for all current and future elements that match. */
export function onClick(selector: string, act: (element: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener('click', (event) => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null
    if (element) act(element, event)
  })
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Keeps the focus inside of what lies over the page. */
export function loopFocus(panel: HTMLElement, isOpen: () => boolean): void {
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || !isOpen()) return
    const stops = all<HTMLElement>('a[href], summary, button, input', panel).filter(
      (stop) => stop.offsetParent !== null,
    )
    const edge = event.shiftKey ? stops[0] : stops.at(-1)
    if (document.activeElement !== edge) return
    event.preventDefault()
    ;(event.shiftKey ? stops.at(-1) : stops[0])?.focus()
  })
}

/** Returns the component texts in the language of the page; empty for English. */
export function wordsOfPage(): Record<string, string> {
  return JSON.parse(one('#content-area')?.dataset.words ?? '{}') as Record<string, string>
}

/** Announces text to screen readers. */
export function announce(text: string): void {
  let place = one('#octavo-status')
  if (!place) {
    place = make('div', { id: 'octavo-status', role: 'status', class: 'visually-hidden' })
    document.body.append(place)
  }
  place.textContent = text
}

/** Returns the absolute URL of a `<link rel="octavo-…">` in the head; null when the page has none. */
export function linkedFile(name: string): string | null {
  return one<HTMLLinkElement>(`link[rel="octavo-${name}"]`)?.href ?? null
}

const loaded = new Map<string, Promise<void>>()

/** Loads a classic script once. */
export function loadScript(src: string): Promise<void> {
  const known = loaded.get(src)
  if (known) return known
  const promise = new Promise<void>((resolve, reject) => {
    const script = make('script', { src })
    script.onload = () => resolve()
    script.onerror = () => {
      loaded.delete(src)
      script.remove()
      reject(new Error(`could not load ${src}`))
    }
    document.head.append(script)
  })
  loaded.set(src, promise)
  return promise
}

/** Loads a style sheet; content that depends on it is shown only afterwards. */
export function loadStyle(href: string): Promise<void> {
  if (one(`link[rel="stylesheet"][href="${CSS.escape(href)}"]`)) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const link = make('link', { rel: 'stylesheet', href })
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(`could not load ${href}`))
    }
    document.head.append(link)
  })
}
