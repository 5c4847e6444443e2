import type { ComponentChildren } from 'preact'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { openDialog } from './dialogs.tsx'

interface Shown {
  title: string
  about: string
  done: string
  width?: 'sm'
  content: ComponentChildren
}

/** Shows something that cannot be shown again, such as a secret: it exists only in the dialog. */
export function showOnce({ done, content, ...dialog }: Shown): void {
  openDialog((close) => (
    <Dialog
      {...dialog}
      onClose={close}
      actions={
        <Button look="primary" onClick={close}>
          {done}
        </Button>
      }
    >
      {content}
    </Dialog>
  ))
}
