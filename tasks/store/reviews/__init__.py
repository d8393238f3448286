"""Tasks about what customers say of products."""

from .approve_pending import ApprovePending
from .by_status import ReviewsByStatus
from .critics import ReviewCritics
from .delete_reviews import DeleteReviews
from .mentioning import ReviewsMentioning
from .opinions import ReviewOpinions
from .received import ReviewsReceived
from .reply_newest import ReplyNewest
from .worst_author import WorstReviewAuthor

TEMPLATES = (
    ReviewsReceived,
    ReviewsByStatus,
    ReviewsMentioning,
    ApprovePending,
    DeleteReviews,
    ReviewCritics,
    WorstReviewAuthor,
    ReviewOpinions,
    ReplyNewest,
)
"""Every template about reviews."""
