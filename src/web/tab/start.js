// The start page needs no script but this: it keeps the site for later. Its pictures are kept once they were seen; where
// one cannot be had, its place stays empty, without the mark of a broken picture.
import "./offline.js";

for (const picture of document.images) {
  const leave = () => {
    picture.style.visibility = "hidden";
  };
  if (picture.complete && !picture.naturalWidth && picture.currentSrc) leave();
  picture.addEventListener("error", leave);
}
