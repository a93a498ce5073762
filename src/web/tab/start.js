// The start page needs no script but this: it keeps the site for later.
import "./offline.js";
