/** Page picker of the review: both frames show the changed page that is selected. */

export function initPreview(): void {
  const picker = document.querySelector<HTMLSelectElement>('#preview-page')
  if (picker === null) return
  picker.closest('label')?.removeAttribute('hidden')
  const show = () => {
    const option = picker.selectedOptions[0]
    for (const side of ['before', 'after'] as const) {
      showSide(side, option?.dataset[side] ?? '', option?.value ?? '')
    }
  }
  picker.addEventListener('change', show)
  // After navigating back, the browser may restore a selection that differs from the frames.
  if (picker.selectedIndex > 0) show()
}

function showSide(side: 'before' | 'after', address: string, path: string): void {
  const figure = document.querySelector(`.previews .${side}`)
  const frame = figure?.querySelector('iframe')
  const link = figure?.querySelector('a')
  const note = figure?.querySelector<HTMLElement>('.no-page')
  if (!frame || !link || !note) return
  frame.hidden = address === ''
  link.hidden = address === ''
  note.hidden = address !== ''
  frame.title = `${side === 'before' ? 'Before' : 'After'}: ${path}`
  if (address === '') return
  frame.src = address
  link.href = address
}
