import { useTranslation } from 'react-i18next';

interface Props {
  page: number;
  pageCount: number;
  onPage: (page: number) => void;
}

/** Pagination of a list, newest first. */
export function Pagination({ page, pageCount, onPage }: Props) {
  const { t } = useTranslation('client');
  if (pageCount <= 1 && page <= 1) return null;
  return (
    <nav className="pages" aria-label={t('calls.history.pages')}>
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('calls.history.later')}
      </button>
      <output>{t('calls.history.page', { page, pages: pageCount })}</output>
      <button type="button" disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
        {t('calls.history.earlier')}
      </button>
    </nav>
  );
}
