/**
 * Extensions of files that are never pages or documents: pictures, sound, video, archives, programs, fonts, styles,
 * scripts.
 */
const NO_PAGES: ReadonlySet<string> = new Set(
  (
    'apng avif bmp cur eps gif heic heif ico jfif jpe jpeg jpg jxl png psd raw svg svgz tif tiff webp ' +
    '3gp aac aif aiff avi flac flv m3u m3u8 m4a m4v mid midi mkv mov mp3 mp4 mpeg mpg oga ogg ogv opus swf wav weba webm wma wmv ' +
    '7z apk bin br bz2 cab crx deb dmg exe gz img ipa iso jar msi pkg rar rpm tar tgz war wasm xpi xz zip zst ' +
    'eot otf ttf woff woff2 cjs css js less map mjs scss'
  ).split(' '),
);

/** Whether an address may be that of a page or a document, judging by its extension. */
export function maybePage({ pathname }: URL): boolean {
  const ending = /\.([a-z\d]{2,5})$/i.exec(pathname.slice(-6))?.[1];
  return ending === undefined || !NO_PAGES.has(ending.toLowerCase());
}
