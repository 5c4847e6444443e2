import type { ComponentChildren } from 'preact'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { IconName } from './icon-names.ts'

export interface SubmitDialogProps {
  title: string
  about?: ComponentChildren
  width?: 'sm' | 'md' | 'lg'
  action: string
  icon?: IconName
  isOff?: boolean
  onClose: () => void
}

export function SubmitDialog({
  action,
  icon,
  isOff = false,
  isBusy,
  form,
  children,
  ...dialog
}: SubmitDialogProps & { isBusy: boolean; form: string; children: ComponentChildren }) {
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button onClick={dialog.onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="primary"
            form={form}
            disabled={isOff}
            isBusy={isBusy}
            {...(icon === undefined ? {} : { icon })}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
