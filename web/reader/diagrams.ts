/** Renders diagrams when they scroll into view, and again when the colors change. Until then, the source is shown. */
import { addDiagramControls } from './diagram-controls.ts'
import { createElement, findElement, findElements, linkedFile, loadScript } from './dom.ts'

interface Mermaid {
  initialize(config: object): void
  render(id: string, text: string): Promise<{ svg: string }>
}

export function initDiagrams(): void {
  const src = linkedFile('mermaid')
  const boxes = findElements('.mermaid')
  if (!src || boxes.length === 0) return
  const seen = new Set<HTMLElement>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue
        observer.unobserve(entry.target)
        seen.add(entry.target as HTMLElement)
        void drawDiagram(src, entry.target as HTMLElement)
      }
    },
    { rootMargin: '400px' },
  )
  for (const box of boxes) observer.observe(box)
  new MutationObserver(() => {
    for (const box of seen) void drawDiagram(src, box)
  }).observe(document.documentElement, { attributeFilter: ['class'] })
}

let count = 0
/** Renders one diagram at a time, because the library has global settings. */
let queue: Promise<void> = Promise.resolve()

function drawDiagram(src: string, box: HTMLElement): Promise<void> {
  queue = queue.then(async () => {
    try {
      await loadScript(src)
      const { mermaid } = globalThis as unknown as { mermaid: Mermaid }
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        suppressErrorRendering: true,
        look: 'classic',
        theme: 'base',
        fontFamily: getComputedStyle(document.body).fontFamily,
        themeVariables: themeVariables(),
      })
      const text = box.querySelector('.mermaid-source')?.textContent ?? ''
      const { svg } = await mermaid.render(`octavo-diagram-${count++}`, text)
      const holder = document.createElement('div')
      holder.innerHTML = svg
      const drawn = holder.firstElementChild as SVGElement | null
      if (!drawn) return
      // Stored in a variable, because as the SVG's own width it would also apply in full screen.
      drawn.style.setProperty('--natural', drawn.style.maxWidth || '100%')
      drawn.style.maxWidth = ''
      const view = findElement('.mermaid-view', box) ?? createElement('div', { class: 'mermaid-view' })
      view.replaceChildren(drawn)
      box.append(view)
      box.dataset.drawn = ''
      addDiagramControls(box, view)
    } catch {
      // If rendering fails, the source stays visible.
    }
  })
  return queue
}

/** Returns the colors of the page in a format that the library can compute with. */
function themeVariables(): Record<string, string | boolean> {
  const page = rgb('--page')
  const text = rgb('--neutral-12')
  const line = rgb('--neutral-9')
  return {
    darkMode: document.documentElement.classList.contains('dark'),
    fontSize: '14px',
    background: page,
    mainBkg: rgb('--neutral-2'),
    primaryColor: rgb('--neutral-2'),
    primaryBorderColor: rgb('--neutral-7'),
    nodeBorder: rgb('--neutral-7'),
    primaryTextColor: text,
    textColor: text,
    secondaryColor: rgb('--accent-3'),
    secondaryBorderColor: rgb('--accent-7'),
    tertiaryColor: rgb('--neutral-3'),
    tertiaryBorderColor: rgb('--neutral-6'),
    clusterBkg: rgb('--neutral-2'),
    clusterBorder: rgb('--neutral-6'),
    lineColor: line,
    edgeLabelBackground: page,
    noteBkgColor: rgb('--accent-3'),
    noteBorderColor: rgb('--accent-7'),
    noteTextColor: text,
    actorBkg: rgb('--neutral-2'),
    actorBorder: rgb('--neutral-7'),
    actorLineColor: rgb('--neutral-6'),
    signalColor: line,
    labelBoxBkgColor: rgb('--neutral-2'),
    labelBoxBorderColor: rgb('--neutral-7'),
    ...sliceColours(),
    pieStrokeColor: page,
    pieOuterStrokeColor: page,
    pieTitleTextSize: '16px',
    pieSectionTextColor: text,
    pieOpacity: '1',
  }
}

/** Alternates shades of the accent and the neutral scale, so that adjacent slices differ. */
function sliceColours(): Record<string, string> {
  const tokens = [
    'accent-7',
    'neutral-6',
    'accent-5',
    'neutral-8',
    'accent-8',
    'neutral-4',
    'accent-4',
    'neutral-7',
  ]
  return Object.fromEntries(tokens.map((token, index) => [`pie${index + 1}`, rgb(`--${token}`)]))
}

/** Converts a color token in any notation to `#rrggbb` by painting and reading one pixel. */
function rgb(token: string): string {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) return '#888888'
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token)
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
